import type { Role } from './roles.ts'

type ScopeInfo = { description: string; role: Role }

/**
 * Token scopes, `<area>:<read|write>`, and the lowest role that may grant each. Write includes read.
 * A scope is listed here when a route requires it.
 */
export const scopes = {
  'posts:read': { description: 'Read posts', role: 'viewer' },
  'posts:write': { description: 'Create, change, publish and delete posts', role: 'author' },
  'media:read': { description: 'Read files', role: 'viewer' },
  'media:write': { description: 'Upload, change and delete files', role: 'author' },
  'accounts:read': { description: 'Read connected accounts', role: 'viewer' },
  'accounts:write': { description: 'Connect, check and disconnect accounts', role: 'editor' },
  'webhooks:read': { description: 'Read webhooks', role: 'viewer' },
  'webhooks:write': { description: 'Create, test and delete webhooks', role: 'admin' },
  'ai:read': { description: 'Read AI models and generations', role: 'viewer' },
  'ai:write': { description: 'Generate texts, images and videos', role: 'author' },
  'agents:read': { description: 'Read agents and their runs', role: 'viewer' },
  'agents:write': { description: 'Create, change, enable and run agents, which write posts', role: 'editor' },
  'recipes:read': { description: 'Read the catalog of agent recipes', role: 'viewer' },
  'recipes:write': { description: 'Publish and install agent recipes', role: 'editor' },
  'gigs:read': { description: 'Read your own gigs', role: 'viewer' },
  'gigs:write': { description: 'Create, change and delete gigs', role: 'admin' },
  'orders:read': { description: 'Read orders of gigs', role: 'viewer' },
  'orders:write': { description: 'Accept, deliver and review orders of gigs', role: 'admin' },
  'signatures:read': { description: 'Read your signature', role: 'viewer' },
  'signatures:write': { description: 'Change your signature', role: 'viewer' },
  'workspace:read': { description: 'Read the workspace', role: 'viewer' },
  'workspace:write': { description: 'Change the settings of the workspace', role: 'admin' },
  'billing:read': { description: 'Read the subscription and invoices', role: 'viewer' },
  'members:read': { description: 'Read the members of the workspace', role: 'viewer' },
} as const satisfies Record<string, ScopeInfo>

export type Scope = keyof typeof scopes

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)

export const grants = (granted: readonly string[], wanted: Scope) =>
  granted.includes(wanted) || (wanted.endsWith(':read') && granted.includes(wanted.replace(/read$/, 'write')))
