import { checkStructure } from './structure.ts';

const { modules, problems } = await checkStructure(process.cwd(), './.dependency-cruiser.cjs');
for (const problem of problems) console.log(problem);
console.log(`Checked ${modules} modules, found ${problems.length} problems.`);
process.exitCode = problems.length > 0 || modules === 0 ? 1 : 0;
