import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use as register } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef, type ReactElement } from 'react';
import type { PlotData, PlotKind } from './plot-data.ts';
import { sqlText as texts } from '../../../text/sql.ts';

register([BarChart, LineChart, GridComponent, CanvasRenderer]);

interface PlotCanvasProps {
  title: string;
  kind: PlotKind;
  data: PlotData;
}

/**
 * Draws a chart on a canvas, because the content security policy forbids the inline markup and styles of
 * other charts.
 */
export const PlotCanvas = ({ title, kind, data }: PlotCanvasProps): ReactElement => {
  const host = useRef<HTMLDivElement>(null);
  const { mode, systemMode } = useColorScheme();
  const scheme = mode === 'system' ? systemMode : mode;
  useEffect(() => {
    if (host.current === null) return undefined;
    // A canvas cannot use CSS variables, so it is drawn again when the colour scheme changes.
    const style = getComputedStyle(host.current);
    const colorOf = (name: string): string => style.getPropertyValue(`--mui-palette-${name}`).trim();
    const divider = colorOf('divider');
    const canvas = document.createElement('canvas');
    canvas.style.width = '100%';
    canvas.style.height = '100%';
    host.current.replaceChildren(canvas);
    const size = (): { width: number; height: number } => {
      const { clientWidth, clientHeight } = host.current ?? { clientWidth: 0, clientHeight: 0 };
      return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
    };
    // The library would set inline markup on an element, which the content security policy forbids, so it gets an
    // OffscreenCanvas.
    const surface = canvas.transferControlToOffscreen();
    Object.assign(surface, size());
    const chart = init(surface as unknown as HTMLCanvasElement, null, { renderer: 'canvas', ...size() });
    const axisLabel = { color: colorOf('text-secondary'), fontFamily: 'Roboto', fontSize: 12 };
    chart.setOption({
      animation: false,
      grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
      xAxis: {
        type: 'category',
        data: [...data.labels],
        axisLabel,
        axisLine: { lineStyle: { color: divider } },
      },
      yAxis: { type: 'value', axisLabel, splitLine: { lineStyle: { color: divider } } },
      series: [
        {
          type: kind === 'line' ? 'line' : 'bar',
          data: [...data.values],
          itemStyle: { color: colorOf('primary-main') },
          symbolSize: 6,
          ...(kind === 'histogram' && { barCategoryGap: '2%' }),
        },
      ],
    });
    const observer = new ResizeObserver(() => chart.resize(size()));
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [data, kind, scheme]);
  return <Box ref={host} role="img" aria-label={texts.plotLabel(title)} sx={{ flex: 1, minHeight: 160 }} />;
};
