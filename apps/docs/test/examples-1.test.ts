import { testHalf } from './half-of-examples.ts';

testHalf(1);
