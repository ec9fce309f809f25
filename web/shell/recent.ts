import { useEffect, useState } from 'react'

const MOST = 6

/** Paths of the pages that the account was on before the present one, the last first, as this browser remembers. */
export function useRecent(accountId: number, pathname: string): readonly string[] {
  const key = `recent-pages-${accountId}`
  const [paths, setPaths] = useState(() => readPaths(key))
  useEffect(() => {
    const next = [pathname, ...readPaths(key).filter(path => path !== pathname)].slice(0, MOST)
    localStorage.setItem(key, JSON.stringify(next))
    setPaths(next)
  }, [key, pathname])
  return paths.filter(path => path !== pathname)
}

function readPaths(key: string): string[] {
  return JSON.parse(localStorage.getItem(key) ?? '[]') as string[]
}
