/**
 * Examples of code that reads and writes a dataset.
 * @param origin the address of this server
 * @param id the id of the dataset
 */
export const snippets = (origin: string, id: string): readonly { title: string; code: string }[] => [
  { title: 'SQL', code: `SELECT * FROM "${id}"` },
  {
    title: 'curl',
    code: `curl ${origin}/query \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"expression": "SELECT * FROM \\"${id}\\"", "limit": 10}'`,
  },
  {
    title: 'Python',
    code: `import os, requests

response = requests.post(
    "${origin}/query",
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
    json={"expression": 'SELECT * FROM "${id}"', "limit": 10},
)
response.raise_for_status()
print(response.json()["records"])`,
  },
  {
    title: 'Write records',
    code: `curl "${origin}/v2/write/${id}?isAsync=false" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "records": [{"note": "Runway 09 closed", "access": "REGION:EU"}],
  "securityLabelInfo": {
    "fields": ["access"], "parserClassName": "identity-parser", "labelHandlingPolicy": "drop"
  }
}'`,
  },
];
