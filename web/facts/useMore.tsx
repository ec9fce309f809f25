import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../controls/Button.tsx'

type Page<Row> = { rows: Row[]; more: boolean }

/** Rows that come a page at a time, each page behind the last row of the one before; and the button that asks for more. A page may say more. */
export function useMore<Row extends { id: number }, Beside = unknown>(
  queryKey: readonly unknown[],
  ask: (last: number | undefined) => Promise<Page<Row> & Beside>,
  text: string,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => (page.more ? page.rows.at(-1)?.id : undefined),
  })
  return {
    query,
    rows: query.data?.pages.flatMap(page => page.rows),
    more: query.hasNextPage && (
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchNextPageError ? '加载失败，重试' : text}
      </Button>
    ),
  }
}
