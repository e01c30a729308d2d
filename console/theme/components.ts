// The styles that all pages but the sign-in page share. The shell and every other page before sign-in import them first.
import './components.css'
import '../ui/layout/Banner.module.css'
import '../shell/Shell.module.css'
import '../shell/navigation/Sidebar.module.css'
import '../shell/navigation/BottomBar.module.css'
