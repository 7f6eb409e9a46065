export { createMeter, type Meter } from './meter.ts';
export { createMetering, dayOf, type Metering } from './metering.ts';
