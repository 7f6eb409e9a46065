/** The end of the address of a tag's page: "API keys" stands at `/api/api-keys/`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
