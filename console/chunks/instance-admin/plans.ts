export { EditPlanPage, NewPlanPage } from '../../features/plans/form/PlanFormPages'
export { PlansPage } from '../../features/plans/PlansPage'
