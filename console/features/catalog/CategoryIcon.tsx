import {
  BookOpen,
  BriefcaseBusiness,
  CalendarDays,
  CircleQuestionMark,
  Code,
  Megaphone,
  PartyPopper,
  Shapes,
  ShoppingBag,
  UserPlus,
  Utensils,
} from 'lucide-react'
import classes from './catalog.module.css'
import type { Recipe } from './queries'

const icons = {
  content: BookOpen,
  shop: ShoppingBag,
  services: BriefcaseBusiness,
  food: Utensils,
  support: CircleQuestionMark,
  seasonal: PartyPopper,
  software: Code,
  brand: Megaphone,
  events: CalendarDays,
  hiring: UserPlus,
  other: Shapes,
} satisfies Record<Recipe['category'], typeof Shapes>

/** The mark of a category. Its name is written beside it. */
export function CategoryIcon({ category }: { category: Recipe['category'] }) {
  const Icon = icons[category]
  return (
    <span className={classes.icon} aria-hidden="true">
      <Icon size={20} />
    </span>
  )
}
