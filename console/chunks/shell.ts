// The frame of every signed-in page.
import './components'

export { Shell } from '../shell/Shell'
