import { serve } from '#server/serve.ts'
import { help as contract } from './contract.ts'
import { listArticles, listVotes, readCategories, readForm, remove, save, setState } from './server-edit.ts'
import {
  castVote,
  markOpened,
  readArticle,
  readHome,
  readPages,
  readReleases,
  search,
} from './server-read.ts'

export const helpRouter = serve(contract, {
  home: readHome,
  search,
  article: readArticle,
  pages: readPages,
  releases: readReleases,
  opened: markOpened,
  vote: castVote,
  list: listArticles,
  details: readForm,
  categories: readCategories,
  votes: listVotes,
  save,
  setState,
  remove,
})
