import type { ReactNode } from 'react';
import styles from './diagrams.module.css';

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly name: string;
  readonly line: string;
}

const Box = ({ x, y, width, name, line }: BoxProps): ReactNode => (
  <g>
    <rect x={x} y={y} width={width} height={52} rx={4} className={styles.box} />
    <text x={x + width / 2} y={y + 22} textAnchor="middle" className={styles.name}>
      {name}
    </text>
    <text x={x + width / 2} y={y + 40} textAnchor="middle" className={styles.line}>
      {line}
    </text>
  </g>
);

const Line = ({
  from,
  to,
}: {
  readonly from: [number, number];
  readonly to: [number, number];
}): ReactNode => <path d={`M${from.join(' ')}L${to.join(' ')}`} className={styles.arrow} />;

const OneMachine = (): ReactNode => (
  <figure>
    <figcaption>One machine</figcaption>
    <svg
      viewBox="0 0 340 272"
      role="img"
      aria-label="On one machine, one process holds the API, the embedded PostgreSQL and the embedded ClickHouse, and keeps everything in one data folder."
    >
      <Box x={100} y={1} width={140} name="Clients" line="HTTPS" />
      <Line from={[170, 53]} to={[170, 80]} />
      <rect x={1} y={80} width={338} height={112} rx={4} className={styles.strong} />
      <text x={12} y={102} className={styles.name}>
        Redoubt, one process
      </text>
      <Box x={12} y={124} width={98} name="API" line="Node.js" />
      <Box x={121} y={124} width={98} name="PGlite" line="metadata" />
      <Box x={230} y={124} width={98} name="chdb" line="records" />
      <Line from={[170, 192]} to={[170, 218]} />
      <Box x={100} y={218} width={140} name="./data" line="one folder" />
    </svg>
  </figure>
);

const ManyMachines = (): ReactNode => (
  <figure>
    <figcaption>Many machines</figcaption>
    <svg
      viewBox="0 0 340 272"
      role="img"
      aria-label="On many machines, a balancer spreads requests over several Redoubt processes, which share a PostgreSQL server, a ClickHouse server and an S3 bucket."
    >
      <Box x={100} y={1} width={140} name="Balancer" line="HTTPS" />
      {[57, 170, 283].map((x) => (
        <Line key={x} from={[170, 53]} to={[x, 104]} />
      ))}
      {[57, 170, 283].map((x) => (
        <g key={x}>
          <rect x={x - 49} y={104} width={98} height={52} rx={4} className={styles.strong} />
          <text x={x} y={126} textAnchor="middle" className={styles.name}>
            Redoubt
          </text>
          <text x={x} y={144} textAnchor="middle" className={styles.line}>
            own DATA_DIR
          </text>
          {[57, 170, 283].map((store) => (
            <Line key={store} from={[x, 156]} to={[store, 218]} />
          ))}
        </g>
      ))}
      <Box x={8} y={218} width={98} name="PostgreSQL" line="metadata" />
      <Box x={121} y={218} width={98} name="ClickHouse" line="records" />
      <Box x={234} y={218} width={98} name="S3" line="files" />
    </svg>
  </figure>
);

/** The same program on one machine, and on many. */
export const Machines = (): ReactNode => (
  <div className={`${styles.diagram} ${styles.pair}`}>
    <OneMachine />
    <ManyMachines />
  </div>
);
