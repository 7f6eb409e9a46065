import { fastify } from 'fastify';
import { Pool } from 'pg';

/**
 * Serves a dataset with a given number of PostgreSQL queries per request. It checks neither credentials nor rights.
 * Arguments: the URL of the database, the id of the dataset, the number of queries per request.
 */
const [database = '', datasetId = '', queryCount = '1'] = process.argv.slice(2);

const pool = new Pool({ connectionString: database, max: 10 });
const app = fastify();
const text = { type: 'string' } as const;
const schema = {
  response: { 200: { type: 'object', properties: { id: text, name: text, description: text } } },
};

app.route({
  method: 'GET',
  url: '/datasets/:id',
  schema,
  handler: async (request) => {
    const { id } = request.params as { id: string };
    let row: unknown;
    for (let count = 0; count < Number(queryCount); count += 1) {
      const { rows } = await pool.query({
        text: 'select id, name, description from datasets where id = $1',
        values: [id],
      });
      row = rows[0];
    }
    return row;
  },
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
const { statusCode } = await app.inject(`/datasets/${datasetId}`);
process.stdout.write(statusCode === 200 ? `ready ${url}\n` : `failed ${statusCode}\n`);
