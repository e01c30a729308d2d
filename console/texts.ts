/** The English texts of all features, whose keys `t` accepts. Turkish has the same keys, which a test checks. */
export type Texts = typeof import('./features/accounts/locales/en.json') &
  typeof import('./features/agents/locales/en.json') &
  typeof import('./features/ai/locales/en.json') &
  typeof import('./features/ai/locales/instance-admin/en.json') &
  typeof import('./features/audit/locales/en.json') &
  typeof import('./features/auth/locales/en.json') &
  typeof import('./features/auth/locales/signed-out/en.json') &
  typeof import('./features/billing/locales/en.json') &
  typeof import('./features/billing/locales/instance-admin/en.json') &
  typeof import('./features/catalog/locales/en.json') &
  typeof import('./features/catalog/locales/instance-admin/en.json') &
  typeof import('./features/installation/locales/en.json') &
  typeof import('./features/installation/locales/instance-admin/en.json') &
  typeof import('./features/mail/locales/en.json') &
  typeof import('./features/mail/locales/instance-admin/en.json') &
  typeof import('./features/marketplace/locales/en.json') &
  typeof import('./features/marketplace/locales/instance-admin/en.json') &
  typeof import('./features/media/locales/en.json') &
  typeof import('./features/metrics/locales/en.json') &
  typeof import('./features/networks/locales/en.json') &
  typeof import('./features/notifications/locales/en.json') &
  typeof import('./features/options/locales/en.json') &
  typeof import('./features/options/locales/instance-admin/en.json') &
  typeof import('./features/plans/locales/en.json') &
  typeof import('./features/plans/locales/instance-admin/en.json') &
  typeof import('./features/plans/locales/signed-out/en.json') &
  typeof import('./features/posts/locales/en.json') &
  typeof import('./features/posts/locales/signed-out/en.json') &
  typeof import('./features/tokens/locales/en.json') &
  typeof import('./features/webhooks/locales/en.json') &
  typeof import('./features/workspaces/locales/en.json') &
  typeof import('./features/workspaces/locales/signed-out/en.json') &
  typeof import('./shell/locales/en.json') &
  typeof import('./ui/locales/en.json') &
  typeof import('./ui/locales/signed-out/en.json')
