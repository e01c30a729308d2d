export { browserZone } from '../../ui/zones'
