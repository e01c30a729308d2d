// Pages of instance admins, loaded together. `features/<name>/routes.tsx` registers them.
export { ModelPage, NewModelPage } from '../../features/ai/models/ModelPage'
export { ModelsPage } from '../../features/ai/models/ModelsPage'
export { HoldPage } from '../../features/installation/HoldPage'
export { OutboxPage } from '../../features/mail/OutboxPage'
export { TemplatesPage } from '../../features/mail/TemplatesPage'
export { NewTemplatePage, TemplatePage } from '../../features/mail/template/TemplatePage'
export { NetworkAppsPage } from '../../features/networks/apps/NetworkAppsPage'
export { OptionsPage } from '../../features/options/OptionsPage'
