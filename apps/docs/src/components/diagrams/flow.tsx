import type { ReactNode } from 'react';
import styles from './diagrams.module.css';

/** One box of a flow: its name, and one or two lines of text. */
export interface Step {
  readonly name: string;
  readonly lines: readonly string[];
  /** What happens if this step fails. */
  readonly refusal?: string;
  /** Whether to emphasise the step. */
  readonly strong?: boolean;
}

interface FlowProps {
  readonly steps: readonly Step[];
  /** The text alternative of the picture. */
  readonly label: string;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const StepBox = ({ step, box }: { readonly step: Step; readonly box: Box }): ReactNode => (
  <g>
    <rect {...box} rx={4} className={step.strong === true ? styles.strong : styles.box} />
    <text x={box.x + 8} y={box.y + 22} className={styles.name}>
      {step.name}
    </text>
    {step.lines.map((line, index) => (
      <text key={line} x={box.x + 8} y={box.y + 42 + index * 16} className={styles.line}>
        {line}
      </text>
    ))}
  </g>
);

const Arrow = ({ points }: { readonly points: readonly [number, number, number, number] }): ReactNode => {
  const [x1, y1, x2, y2] = points;
  const down = x1 === x2;
  const head = down
    ? `M${x2 - 4} ${y2 - 6}L${x2} ${y2}L${x2 + 4} ${y2 - 6}`
    : `M${x2 - 6} ${y2 - 4}L${x2} ${y2}L${x2 - 6} ${y2 + 4}`;
  return <path d={`M${x1} ${y1}L${x2} ${y2}${head}`} className={styles.arrow} />;
};

/** The width of the text column, so that letters have their normal size. */
const wideWidth = 760;
const boxHeight = 78;

/** The layout for wide windows, from left to right. */
const Wide = ({ steps, label }: FlowProps): ReactNode => {
  const gap = 20;
  const width = (wideWidth - gap * (steps.length - 1)) / steps.length;
  const refuses = steps.some(({ refusal }) => refusal !== undefined);
  const height = boxHeight + (refuses ? 56 : 0) + 2;
  return (
    <svg className={styles.wide} viewBox={`0 0 ${wideWidth} ${height}`} role="img" aria-label={label}>
      {steps.map((step, index) => {
        const x = index * (width + gap);
        const middle = x + width / 2;
        return (
          <g key={step.name}>
            <StepBox step={step} box={{ x: x + 1, y: 1, width: width - 2, height: boxHeight }} />
            {index > 0 && <Arrow points={[x - gap + 2, 39, x - 2, 39]} />}
            {step.refusal !== undefined && (
              <>
                <Arrow points={[middle, boxHeight + 3, middle, boxHeight + 28]} />
                <text x={middle} y={boxHeight + 48} textAnchor="middle" className={styles.refusal}>
                  {step.refusal}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/** The layout for telephones, from top to bottom. */
const Narrow = ({ steps, label }: FlowProps): ReactNode => {
  const gap = 32;
  return (
    <svg
      className={styles.narrow}
      viewBox={`0 0 340 ${steps.length * (boxHeight + gap) - gap + 2}`}
      role="img"
      aria-label={label}
    >
      {steps.map((step, index) => {
        const y = index * (boxHeight + gap) + 1;
        return (
          <g key={step.name}>
            <StepBox step={step} box={{ x: 1, y, width: 338, height: boxHeight }} />
            {index > 0 && <Arrow points={[24, y - gap + 3, 24, y - 3]} />}
            {step.refusal !== undefined && (
              <text x={326} y={y + 22} textAnchor="end" className={styles.refusal}>
                else: {step.refusal}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/** A sequence of steps. It fits the window and uses the colours of the mode. */
export const Flow = (props: FlowProps): ReactNode => (
  <div className={styles.diagram}>
    <Wide {...props} />
    <Narrow {...props} />
  </div>
);
