import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'

type Props = {
  page: number
  total: number
  size: number
  onPage: (page: number) => void
  label: string
  className?: string | undefined
}

/** The page before and after, of a short list without a pager; nothing where one page holds all. */
export function PageSteps({ page, total, size, onPage, label, className }: Props) {
  const pages = Math.ceil(total / size)
  if (pages <= 1) return null
  return (
    <nav className={className} aria-label={label}>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        上一页
      </Button>
      <span className={look.number}>
        {page} / {pages}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        下一页
      </Button>
    </nav>
  )
}
