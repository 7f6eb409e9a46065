const gettingStarted = ['what-is-kdp', 'what-is-zero-trust'];

const quickstart = [
  'sign-in',
  'sign-out',
  'sign-up',
  'navigation',
  'light-dark-mode',
  'my-account/change-email',
  'my-account/change-passwd',
  'my-account/change-username',
  'my-account/update-profile-pic',
  'managing-users-and-attributes/accept-invite',
  'managing-users-and-attributes/access-management-overview',
  'managing-users-and-attributes/add-new-user',
  'managing-users-and-attributes/managing-groups',
  'managing-users-and-attributes/remove-users',
  'managing-users-and-attributes/user-attributes-and-roles',
];

const datasets = [
  'what-is-a-dataset',
  'what-are-datatables',
  'creating-a-dataset',
  'searching-datasets',
  'doc-preview',
  'firewalled',
  'ocr',
  'pairing-datasets',
  'supported-filetypes',
  'adding-data/upload',
  'adding-data/import-data',
  'adding-data/connect-to-datasource',
  'adding-data/kafka-ingestion',
  'adding-data/mssql-ingestion',
  'adding-data/mysql-ingestion',
  'adding-data/postgres-ingestion',
  'adding-data/s3-ingestion',
  'dataset-settings/clearing-a-dataset',
  'dataset-settings/configuring-datasets',
  'dataset-settings/dataset-permissions',
  'dataset-settings/deleting-datasets',
  'dataset-settings/renaming-datasets',
  'dataset-settings/index-management/auto-indexing',
  'dataset-settings/index-management/index-settings',
  'dataset-settings/index-management/manual-indexing',
  'abac-attributes/abac-attribute-fields',
  'abac-attributes/attr-expr-abac-label',
  'abac-attributes/single-attr-abac-label',
];

/** Documents that the specification of the site names, below `/docs/`. */
export const specifiedDocs: readonly string[] = [
  'intro',
  'faq',
  'handling-error-codes',
  ...gettingStarted.map((page) => `getting-started/${page}`),
  ...quickstart.map((page) => `quickstart/${page}`),
  ...datasets.map((page) => `datasets/${page}`),
  ...['creating-applications', 'what-is-an-application'].map((page) => `applications/${page}`),
  // The specification spells `mangement` this way.
  ...['billing-mangement', 'billing-overview', 'pricing'].map((page) => `billing/${page}`),
  ...['dataiku-connector', 'python-connector', 'spark-connector'].map((page) => `using-your-data/${page}`),
  ...['apache-airflow', 'common-api-usage', 'jupyter-hub'].map((page) => `tutorials/${page}`),
];

/** Sections with a generated page of their own, by the names of their folders. */
const categories = [
  'getting-started',
  'quickstart',
  'my-account',
  'managing-users-and-attributes',
  'datasets',
  'adding-data',
  'dataset-settings',
  'index-management',
  'abac-attributes',
  'applications',
  'billing',
  'using-your-data',
  'tutorials',
  'reference',
  'operations',
  'release-notes',
  'internal-release-notes',
];

/** Every route that the site must have, besides the dated pages of the release notes. */
export const routes: readonly string[] = [
  '/',
  '/api/',
  '/markdown-page/',
  '/search/',
  '/docs/',
  ...categories.map((name) => `/docs/category/${name}/`),
  ...specifiedDocs.map((doc) => `/docs/${doc}/`),
];
