const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** The page on which a person pays: one button per way in which the card can behave. It sends `card` to its own address. */
export const paymentPage = (title: string, cards: readonly string[], error?: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>${error ? `<p role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post">${cards.map((card) => `<button name="card" value="${card}">${card}</button>`).join(' ')}</form></html>`
