import { routes } from '@redoubt/contract';
import { bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import type { PictureService } from './picture.service.ts';

export const createPictureRoutes = (service: PictureService): RouteBinding[] => [
  bindPerson(routes.setProfilePicture, ({ actor, params, bytes }) => service.set(actor, params.id, bytes)),
  bindPerson(routes.getProfilePicture, async ({ actor, params, reply }) => {
    const picture = await service.get(actor, params.id);
    reply.type('image/webp');
    return picture;
  }),
  bindPerson(routes.deleteProfilePicture, ({ actor, params }) => service.remove(actor, params.id)),
];
