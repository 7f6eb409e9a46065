import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** The sources whose errors reach clients. */
const sources = [
  'packages/{errors,contract,labels,query,file-formats,records}/src/**/*.ts',
  'apps/server/src/{features,platform}/**/*.ts',
];
const notSources = ['**/*.test.ts', '**/testing/**', '**/golden/**'];

const resolveModule = (folder: string, specifier: string, from: string): string | undefined => {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier);
  const name = /^@redoubt\/([\w-]+)$/.exec(specifier)?.[1];
  return name === undefined ? undefined : join(folder, 'packages', name, 'src/index.ts');
};

/**
 * Parses the sources, and creates a checker that finds declarations across files. Libraries are left out, so the
 * checker knows only the types of the repository.
 * @param folder the root of the repository
 */
export const loadSources = (folder: string): { checker: ts.TypeChecker; files: readonly ts.SourceFile[] } => {
  const names = globSync(sources, { cwd: folder, exclude: notSources }).toSorted();
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options, true);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const file = resolveModule(folder, text, containingFile);
      return {
        resolvedModule:
          file !== undefined && existsSync(file)
            ? { resolvedFileName: file, extension: ts.Extension.Ts, isExternalLibraryImport: false }
            : undefined,
      };
    });
  const program = ts.createProgram(
    names.map((name) => join(folder, name)),
    options,
    host,
  );
  const wanted = new Set(names.map((name) => join(folder, name)));
  const files = program.getSourceFiles().filter(({ fileName }) => wanted.has(fileName));
  return { checker: program.getTypeChecker(), files };
};
