/** Numbers that every stand-in reports of a post, in the format of its network. */
export const postNumbers = {
  views: 5210,
  reach: 3840,
  likes: 212,
  comments: 18,
  shares: 31,
  quotes: 4,
  saves: 27,
  clicks: 96,
}
/** Numbers that every stand-in reports of an account. */
export const accountNumbers = { followers: 1840, following: 126, posts: 912 }
