// Pages where instance admins manage this installation.
export { ModelPage, NewModelPage } from '../features/ai/ModelPage'
export { ModelsPage } from '../features/ai/ModelsPage'
export { OutboxPage } from '../features/mail/OutboxPage'
export { NewTemplatePage, TemplatePage } from '../features/mail/TemplatePage'
export { TemplatesPage } from '../features/mail/TemplatesPage'
export { OptionsPage } from '../features/options/OptionsPage'
export { EditPlanPage, NewPlanPage } from '../features/plans/PlanFormPages'
export { PlansPage } from '../features/plans/PlansPage'
