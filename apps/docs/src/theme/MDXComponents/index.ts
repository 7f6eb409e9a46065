import MDXComponents from '@theme-original/MDXComponents';
import { TableScroll } from '../../components/table-scroll.tsx';

export default { ...MDXComponents, table: TableScroll };
