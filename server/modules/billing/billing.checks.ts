import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { providerNames } from './providers/provider.ts'
import { missingSettings, providerOf } from './providers/registry.ts'

const payments = check({
  name: 'payment_providers',
  group: 'providers',
  outcomes: {
    ok: ok('The payment provider {{provider}} is set up.'),
    off: ok('Billing is off.'),
    missing: error(
      'The payment provider {{provider}} is chosen, and lacks {{missing}}: nobody can pay.',
      'Set what is missing in the options, or choose another provider.',
    ),
    partial: warning(
      'The payment provider {{provider}} is half set up: it lacks {{missing}}.',
      'Set what is missing in the options, or remove the rest.',
    ),
  },
  find: async ({ options }) => {
    const deps = { options: options() }
    if (!(await deps.options.get('billing.enabled'))) return { outcome: 'off' }
    const chosen = await deps.options.get('billing.provider')
    const lacking = async (name: (typeof providerNames)[number]) => {
      const provider = providerOf(name)
      const missing = await missingSettings(deps, provider)
      return { provider: name, missing: missing.join(', '), isPartial: missing.length < provider.settings.length }
    }
    const own = await lacking(providerNames.find((name) => name === chosen) ?? 'manual')
    if (own.missing !== '') return { outcome: 'missing', values: { provider: own.provider, missing: own.missing } }
    const all = await Promise.all(providerNames.map(lacking))
    const partial = all.find(({ missing, isPartial }) => missing !== '' && isPartial)
    if (partial) return { outcome: 'partial', values: { provider: partial.provider, missing: partial.missing } }
    return { outcome: 'ok', values: { provider: own.provider } }
  },
})

export const billingChecks = [payments]
