export { AgentPage } from '../features/agents/AgentPage'
export { AgentsPage } from '../features/agents/AgentsPage'
export { EditAgentPage, NewAgentPage } from '../features/agents/form/AgentFormPages'
export { RecipeUpdatePage } from '../features/catalog/updates/RecipeUpdatePage'
