import { secretKeyChecks } from './lib/crypto/secret-key.checks.ts'
import { databaseChecks } from './lib/db/database.checks.ts'
import { addressChecks } from './lib/http/address.checks.ts'
import type { Check } from './lib/runtime/checks/check.ts'
import { machineChecks } from './lib/runtime/checks/machine.checks.ts'
import { jobChecks } from './lib/runtime/jobs.checks.ts'
import { accountChecks } from './modules/accounts/accounts.checks.ts'
import { aiChecks } from './modules/ai/ai.checks.ts'
import { authChecks } from './modules/auth/auth.checks.ts'
import { billingChecks } from './modules/billing/billing.checks.ts'
import { installationChecks } from './modules/installation/installation.checks.ts'
import { ledgerChecks } from './modules/ledger/ledger.checks.ts'
import { mailChecks } from './modules/mail/mail.checks.ts'
import { mediaChecks } from './modules/media/media.checks.ts'
import { networkChecks } from './modules/networks/networks.checks.ts'
import { postChecks } from './modules/posts/posts.checks.ts'
import { webhookChecks } from './modules/webhooks/webhooks.checks.ts'

/**
 * The checks of an installation, in display order: for `GET /admin/status`, `meydan doctor` and the metric
 * `meydan_check`. A new check needs its texts in the console (`console/features/installation/locales/`).
 */
export const checks: readonly Check[] = [
  ...addressChecks,
  ...databaseChecks,
  ...machineChecks,
  ...mediaChecks,
  ...installationChecks,
  ...jobChecks,
  ...postChecks,
  ...webhookChecks,
  ...mailChecks,
  ...billingChecks,
  ...networkChecks,
  ...aiChecks,
  ...accountChecks,
  ...secretKeyChecks,
  ...authChecks,
  ...ledgerChecks,
]
