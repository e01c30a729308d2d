// The frame of every signed-in page.
import './components.css'

export { Shell } from '../shell/Shell'
