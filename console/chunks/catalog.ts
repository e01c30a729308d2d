// The catalogue of agent recipes.

export { CatalogPage } from '../features/catalog/CatalogPage'
export { RecipePage } from '../features/catalog/recipe/RecipePage'
