import { createAccessMakers } from '@redoubt/testkit/requests';
import { addMember, createWorkspace, signUp } from '@redoubt/testkit/requests';
import { as, done, type Send, type Worlds } from '@redoubt/testkit/requests';

const workspaceId = 'open-house';

/** Creates accounts in the workspace, in another one, and in none. */
const makePeople = async (send: Send) => {
  const admin = await signUp(send, 'admin');
  const outsider = await signUp(send, 'outsider');
  const workspace = await createWorkspace(send, admin, workspaceId);
  const elsewhere = await createWorkspace(send, outsider, 'elsewhere');
  const add = (name: string) => addMember(send, admin, workspaceId, name);
  return {
    workspace,
    elsewhere,
    admin,
    outsider,
    /** Holds ALPHA and BETA. Most hidden objects are hidden from this person. */
    reader: await add('reader'),
    /** May write datasets without reading them. */
    writer: await add('writer'),
    /** Holds every attribute. */
    insider: await add('insider'),
    /** A member whose changes are hidden from the reader. */
    bystander: await add('bystander'),
    /** A member whose membership is disabled in the second world. */
    sleeper: await add('sleeper'),
    /** Has no workspace. */
    loner: await signUp(send, 'loner'),
  };
};

type People = Awaited<ReturnType<typeof makePeople>>;

const makeAttributes = async (send: Send, { admin, reader, insider }: People) => {
  const make = createAccessMakers(send, admin, workspaceId);
  const ids = {
    alpha: await make.attribute('ALPHA'),
    beta: await make.attribute('BETA'),
    gamma: await make.attribute('GAMMA'),
    secret: await make.attribute('SECRET'),
  };
  const assignments = {
    readerAlpha: await make.assignment(ids.alpha, reader),
    readerBeta: await make.assignment(ids.beta, reader),
    insiderSecret: await make.assignment(ids.secret, insider),
  };
  for (const id of [ids.alpha, ids.beta, ids.gamma]) await make.assignment(id, insider);
  return { attributes: ids, assignments };
};

const makeGroups = async (send: Send, { admin, reader, writer, insider }: People) => {
  const make = createAccessMakers(send, admin, workspaceId);
  const groups = {
    readers: await make.group('Readers'),
    writers: await make.group('Writers'),
    parent: await make.group('Parent'),
    closed: await make.group('Closed'),
    club: await createAccessMakers(send, reader, workspaceId).group('Club'),
  };
  await make.member(groups.writers, insider);
  await make.member(groups.closed, insider);
  const memberships = {
    reader: await make.member(groups.readers, reader),
    nestedReaders: await make.child(groups.parent, groups.readers),
    nestedClosed: await make.child(groups.parent, groups.closed),
    writer: await make.member(groups.writers, writer),
  };
  return { groups, memberships };
};

type Groups = Awaited<ReturnType<typeof makeGroups>>['groups'];

const makeDatasets = async (send: Send, { admin, reader }: People, groups: Groups) => {
  const make = createAccessMakers(send, admin, workspaceId);
  const datasets = {
    shared: await make.dataset('Shared'),
    /** The reader may also write it. */
    notes: await make.dataset('Notes', false),
    /** Its records have hundreds of labels that the reader satisfies. */
    many: await make.dataset('Many'),
    /** Has no records that are visible to the reader. */
    empty: await make.dataset('Empty'),
    /** The reader may write but not read it. */
    dropBox: await make.dataset('Drop box'),
    /** Created by the reader. */
    mine: await createAccessMakers(send, reader, workspaceId).dataset('Mine'),
  };
  const permissions = {
    readShared: await make.permission('read', datasets.shared, groups.readers),
    readNotes: await make.permission('read', datasets.notes, groups.readers),
    writeNotes: await make.permission('write', datasets.notes, groups.readers),
    /** A nested grant: the reader is in Readers, which is in Parent. */
    readMany: await make.permission('read', datasets.many, groups.parent),
    readEmpty: await make.permission('read', datasets.empty, groups.readers),
    writeDropBox: await make.permission('write', datasets.dropBox, groups.club),
    closedReadsShared: await make.permission('read', datasets.shared, groups.closed),
  };
  for (const id of [datasets.shared, datasets.notes, datasets.many, datasets.empty, datasets.dropBox]) {
    await make.permission('write', id, groups.writers);
  }
  for (const id of [datasets.notes, datasets.empty]) await make.permission('read', id, groups.closed);
  return { datasets, permissions };
};

const makeApplication = (send: Send, { admin, reader }: People, datasetId: string) =>
  done<{ id: string; clientId: string; clientSecret: string; redirectUrl: string }>(
    send,
    as(admin).post('/applications', {
      name: 'Atlas',
      url: 'https://atlas.example.org',
      redirectUrl: 'https://atlas.example.org/back',
      workspaceId,
      visible: true,
      type: 'mls',
      allowedUsers: [reader.id],
      requiredDatasetAccess: [{ action: 'read', datasetId }],
    }),
  );

/** Creates the people, attributes, groups, datasets and grants that are the same in both worlds. */
export const makeVisibleWorld = async (worlds: Worlds) => {
  const people = await worlds.both('people', makePeople);
  const attributes = await worlds.both('attributes', (send) => makeAttributes(send, people));
  const groups = await worlds.both('groups', (send) => makeGroups(send, people));
  const datasets = await worlds.both('datasets', (send) => makeDatasets(send, people, groups.groups));
  /** The reader can allow it to act for them. */
  const application = await worlds.both('application', (send) =>
    makeApplication(send, people, datasets.datasets.shared),
  );
  return { people, ...attributes, ...groups, ...datasets, application };
};

export type VisibleWorld = Awaited<ReturnType<typeof makeVisibleWorld>>;
