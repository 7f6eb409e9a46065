import type { IssuedInvitation, ListQuery, User, UserCreate, UserPatch } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { RequestOrigin, Person } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import { createUserChange, type UserChangeDeps } from './user-change.ts';
import { createUserCreation, type UserCreationDeps } from './user-creation.ts';
import { createUserRemoval } from './user-removal.ts';
import { createUserRepository } from './user.repository.ts';

export interface UserService {
  list(actor: Person, list: ListQuery): Promise<Page<User>>;
  get(actor: Person, id: string): Promise<User>;
  /** Creates an account. If an admin adds a person who has one, returns an invitation instead. */
  create(
    actor: Person | undefined,
    input: UserCreate,
    origin: RequestOrigin,
  ): Promise<User | IssuedInvitation>;
  update(actor: Person, id: string, patch: UserPatch): Promise<User>;
  /** Deletes the membership or, in a session without a workspace, the actor's account. */
  remove(actor: Person, id: string): Promise<User>;
}

export const createUserService = (deps: UserCreationDeps & UserChangeDeps): UserService => {
  const users = createUserRepository(deps.db);
  const create = createUserCreation(deps);
  const change = createUserChange(deps);
  const remove = createUserRemoval(deps);

  const get = async (actor: Person, id: string): Promise<User> => {
    const user = await users.find(actor, id);
    if (user === undefined) throw notFound('user', id);
    return user;
  };

  return {
    list: (actor, list) => users.list(actor, list),
    get,
    create,
    update: async (actor, id, patch) => {
      const target = await get(actor, id);
      await change(actor, target, patch);
      const { role = target.role, disabled = target.disabled } = patch;
      const { firstName = target.firstName, lastName = target.lastName } = patch;
      return { ...target, firstName, lastName, role, disabled };
    },
    remove: async (actor, id) => {
      const target = await get(actor, id);
      await remove(actor, target);
      return target;
    },
  };
};
