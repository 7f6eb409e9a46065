/** The steps that a highlighter may still take. */
export interface StepBudget {
  left: number;
}

/** Thrown when a budget is used up. */
export const stepsUsedUp = new Error('The steps of the highlighter are used up.');

/** @throws `stepsUsedUp` */
export const spendSteps = (budget: StepBudget, steps: number): void => {
  budget.left -= steps;
  if (budget.left < 0) throw stepsUsedUp;
};
