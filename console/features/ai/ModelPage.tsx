import { ModelsPage } from './ModelsPage'

export const ModelPage = ModelsPage
export const NewModelPage = ModelsPage
