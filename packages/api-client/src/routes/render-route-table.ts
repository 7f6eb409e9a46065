import { routes, type RouteDescriptor } from '@redoubt/contract';

export const routeTablePath = new URL('../route-table.ts', import.meta.url);

/** The source of `route-table.ts`: the calls of the contract without their schemas. */
export const renderRouteTable = (): string => {
  const lines = Object.entries<RouteDescriptor>(routes).map(([operationId, { method, path, success }]) => {
    const parts = [method, path, ...(success.mediaType === undefined ? [] : [success.mediaType])];
    return `  ${operationId}: [${parts.map((part) => `'${part}'`).join(', ')}],\n`;
  });
  return `import type { OperationId } from '@redoubt/contract';

/**
 * Method, path and media type (JSON where absent) of each call: all that a client needs at run time, so that a browser
 * does not load the schemas. Generated from the contract by \`npm run docs:generate\`.
 */
export const routeTable: Readonly<
  Record<OperationId, readonly [method: string, path: string, mediaType?: string]>
> = {
${lines.join('')}};
`;
};
