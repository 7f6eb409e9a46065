import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterScroll, scrollToPosition, spacerHeight, type TallScroll } from './tall-scroll.ts';

const list = { content: 36_000_000, view: 700 };
const last = list.content - list.view;
const room = spacerHeight(list.content) - list.view;
const positionOf = ({ top, shift }: TallScroll): number => top + shift;

test('every position can be shown, and the element is never scrolled beyond its height', () => {
  for (let position = 0; position <= last; position += 99_991) {
    const state = scrollToPosition(position, list);
    assert.ok(Math.abs(positionOf(state) - position) < 1e-6, String(position));
    assert.ok(state.top >= 0 && state.top <= room, String(state.top));
  }
  assert.equal(positionOf(scrollToPosition(last, list)), last);
  assert.equal(scrollToPosition(last, list).top, room);
  assert.equal(positionOf(scrollToPosition(1e12, list)), last);
});

test('a small step moves the list by the same pixels anywhere', () => {
  for (const start of [0, 5000, 49_900, 50_100, 99_990, 3_000_000, last - 50_200, last - 300]) {
    let state = scrollToPosition(start, list);
    for (const step of [100, 100, -36, 250, -500, 120]) {
      const wanted = Math.max(0, Math.min(last, positionOf(state) + step));
      const top = Math.max(0, Math.min(room, state.top + step));
      state = afterScroll(state, top, list);
      assert.ok(Math.abs(positionOf(state) - wanted) < 1e-6, `${String(start)} ${String(step)}`);
    }
  }
});

test('dragging the scrollbar to its ends shows the first and the last row', () => {
  const middle = scrollToPosition(last / 2, list);
  assert.equal(positionOf(afterScroll(middle, room, list)), last);
  assert.equal(positionOf(afterScroll(middle, 0, list)), 0);
  const quarter = positionOf(afterScroll(middle, room / 4, list)) / last;
  assert.ok(Math.abs(quarter - 0.25) < 0.01, String(quarter));
});

test('scrolling step by step from the middle reaches both ends', () => {
  for (const [step, end] of [
    [-2000, 0],
    [2000, last],
  ] as const) {
    let state = scrollToPosition(end === 0 ? 400_000 : last - 400_000, list);
    for (let count = 0; count < 250; count++) {
      state = afterScroll(state, Math.max(0, Math.min(room, state.top + step)), list);
    }
    assert.equal(positionOf(state), end);
  }
});

test('a list that fits is scrolled as it is', () => {
  const short = { content: 5000, view: 700 };
  assert.deepEqual(scrollToPosition(4900, short), { top: 4300, shift: 0 });
  assert.deepEqual(afterScroll({ top: 0, shift: 0 }, 4300, short), { top: 4300, shift: 0 });
});
