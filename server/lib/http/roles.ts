/** Roles in a workspace, from the least to the most. */
export const roles = ['viewer', 'author', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const atLeast = (role: Role, wanted: Role) => roles.indexOf(role) >= roles.indexOf(wanted)
