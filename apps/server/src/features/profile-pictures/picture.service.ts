import type { User } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Person } from '../../platform/auth/actor.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { UserService } from '../users/index.ts';
import { requirePicture, reencodePicture } from './reencode-picture.ts';
import type { PictureRepository } from './picture.repository.ts';

export interface PictureService {
  set(actor: Person, userId: string, bytes: Buffer): Promise<User>;
  get(actor: Person, userId: string): Promise<Buffer>;
  remove(actor: Person, userId: string): Promise<User>;
}

const eventOf = (description: string, userId: string): AuditEvent => ({
  type: 'UserProfileManagement',
  description,
  details: { userId },
});

const noPicture = (userId: string): RedoubtError =>
  new RedoubtError('NotFoundError', `User "${userId}" has no picture.`);

export const createPictureService = ({
  audited,
  pictures,
  users,
}: {
  audited: AuditedChange<PictureRepository>;
  pictures: Pick<PictureRepository, 'find'>;
  users: Pick<UserService, 'get'>;
}): PictureService => {
  /** @throws RedoubtError 404 if the user is hidden from the actor, 403 if it is another visible user */
  const requireSelf = async (
    actor: Person,
    userId: string,
    operation: 'setProfilePicture' | 'deleteProfilePicture',
  ): Promise<User> => {
    const user = await users.get(actor, userId);
    const action = `change the picture of user "${userId}"`;
    requireCall(actor, operation, action, userId === actor.accountId ? ['self'] : []);
    return user;
  };
  return {
    set: async (actor, userId, bytes) => {
      requirePicture(bytes);
      const user = await requireSelf(actor, userId, 'setProfilePicture');
      const reencoded = await reencodePicture(bytes);
      await audited(actor, eventOf('set their picture', userId), (repository) =>
        repository.set(userId, reencoded),
      );
      return user;
    },
    get: async (actor, userId) => {
      await users.get(actor, userId);
      const picture = await pictures.find(userId);
      if (picture === undefined) throw noPicture(userId);
      return picture;
    },
    remove: async (actor, userId) => {
      const user = await requireSelf(actor, userId, 'deleteProfilePicture');
      const event = eventOf('removed their picture', userId);
      const hadPicture = await audited(
        actor,
        (removed) => (removed ? event : undefined),
        (repository) => repository.remove(userId),
      );
      if (!hadPicture) throw noPicture(userId);
      return user;
    },
  };
};
