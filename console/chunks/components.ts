// The styles that all pages but the sign-in page share. Imported by several chunks, they are built into one file.
import './components.css'
import '../ui/layout/Banner.module.css'
import '../shell/Shell.module.css'
import '../shell/navigation/Sidebar.module.css'
import '../shell/navigation/BottomBar.module.css'
