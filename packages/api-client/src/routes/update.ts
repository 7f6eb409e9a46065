import { writeFileSync } from 'node:fs';
import { renderRouteTable, routeTablePath } from './render-route-table.ts';

writeFileSync(routeTablePath, renderRouteTable());
