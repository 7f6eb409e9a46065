/** The last segment of the address of a tag's page: "API keys" is at `/api/api-keys/`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
