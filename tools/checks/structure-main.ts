import { checkStructure } from './structure.ts';

const { modules, faults } = await checkStructure(process.cwd(), './.dependency-cruiser.cjs');
for (const fault of faults) console.log(fault);
console.log(`${modules} modules looked at, ${faults.length} faults.`);
process.exitCode = faults.length > 0 || modules === 0 ? 1 : 0;
