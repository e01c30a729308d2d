/**
 * What a token can be allowed to do, `<area>:<read|write>`. Write includes read. A scope is listed here when a route
 * asks for it.
 */
export const scopes = {
  'posts:read': 'Read posts',
  'posts:write': 'Create, change, publish and delete posts',
  'accounts:read': 'Read connected accounts',
  'accounts:write': 'Connect and disconnect accounts',
  'webhooks:read': 'Read webhooks',
  'webhooks:write': 'Create, test and delete webhooks',
  'workspace:read': 'Read the workspace',
  'workspace:write': 'Change the settings of the workspace',
} as const

export type Scope = keyof typeof scopes

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)

export const grants = (granted: readonly string[], wanted: Scope) =>
  granted.includes(wanted) || (wanted.endsWith(':read') && granted.includes(wanted.replace(/read$/, 'write')))
