import MDXComponents from '@theme-original/MDXComponents';
import { ConsolePicture } from '../../components/console-picture/console-picture.tsx';
import { GroupsAndAttributes, Machines, RequestPath } from '../../components/diagrams/index.tsx';
import { CodeOrTabs } from '../../components/query-tabs/code-or-tabs.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

export default {
  ...MDXComponents,
  code: CodeOrTabs,
  table: TableScroll,
  ConsolePicture,
  GroupsAndAttributes,
  Machines,
  RequestPath,
};
