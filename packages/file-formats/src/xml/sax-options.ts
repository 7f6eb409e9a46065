/** Only the entities of XML itself are allowed. Positions are needed for messages. */
export const saxOptions = { strictEntities: true, position: true };
