export { EditWebhookPage, NewWebhookPage } from '../features/webhooks/form/WebhookFormPages'
export { WebhookPage } from '../features/webhooks/WebhookPage'
export { WebhooksPage } from '../features/webhooks/WebhooksPage'
