import { createElement, type ComponentType, type SVGProps } from 'react';

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels. */
  size?: number;
}

/** A drawing in the colour of the text around it. */
export type Icon = ComponentType<IconProps>;

const drawing = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** @param path the lines of the drawing, in a square of 24 units */
export function createIcon(path: string): Icon {
  return ({ size = 24, ...props }) =>
    createElement(
      'svg',
      { width: size, height: size, ...drawing, ...props },
      createElement('path', { d: path }),
    );
}
