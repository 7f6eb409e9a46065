/** No entities but those of XML itself; positions are for messages. */
export const saxOptions = { strictEntities: true, position: true };
