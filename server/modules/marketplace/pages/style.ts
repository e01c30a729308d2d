import { FONT_FAMILY, fontFaces } from '../../../lib/http/response/fonts.ts'

export const style = `
${fontFaces}
:root{color-scheme:light dark;--ground:light-dark(#f6f8f8,#14191b);--card:light-dark(#fff,#1c2326);--ink:light-dark(#1d262a,#e7ecee);--dim:light-dark(#56656b,#a3b1b6);--line:light-dark(#dde5e7,#2d373b);--brand:light-dark(#067d87,#4fc3cc);--fill:light-dark(#067d87,#0b8a95);--soft:light-dark(#e4f2f3,#173135);--star:light-dark(#b26a00,#ffb454)}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.55 ${FONT_FAMILY};color:var(--ink);background:var(--ground)}
a{color:var(--brand);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
h1,h2,h3{line-height:1.25;letter-spacing:-.012em;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:clamp(1.5rem,4vw,2.1rem);margin:0 0 .5rem}
h2{font-size:1.2rem;margin:2rem 0 .7rem}
.wrap{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top .wrap{display:flex;align-items:center;gap:1.2rem;min-height:3.75rem;flex-wrap:wrap}
.brand{display:flex;align-items:center;gap:.6rem;font-weight:650;color:var(--ink);text-decoration:none}
.brand img{width:1.9rem;height:1.9rem}
.top nav{margin-left:auto;display:flex;gap:1.1rem;font-size:.9375rem}
.top nav a,.crumb a{text-decoration:none}
.top nav a:hover,.crumb a:hover{text-decoration:underline}
main.wrap{padding-top:2rem;padding-bottom:4rem;min-height:70vh}
.dim{color:var(--dim)}
.lead{max-width:44rem;margin:0 0 1.5rem;color:var(--dim)}
.search{display:grid;grid-template-columns:minmax(0,1fr) repeat(4,auto) auto;gap:.75rem;align-items:end;padding:1rem;margin:0 0 1rem;background:var(--card);border:1px solid var(--line);border-radius:.9rem}
label{display:block;font-size:.8125rem;color:var(--dim)}
input,select,button{display:block;font:inherit;color:inherit;width:100%;margin-top:.25rem;padding:.5rem .7rem;min-height:2.6rem;background:var(--ground);border:1px solid var(--line);border-radius:.5rem}
.price{width:7rem}
button,.button{display:inline-block;background:var(--fill);border:1px solid transparent;color:#fff;font-weight:600;border-radius:.5rem;text-decoration:none;text-align:center;cursor:pointer;padding:.55rem 1.1rem}
button:hover,.button:hover{filter:brightness(1.08)}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:0 0 1.5rem;padding:0}
.chip{display:inline-block;padding:.25rem .8rem;border-radius:2rem;border:1px solid var(--line);background:var(--card);color:var(--ink);font-size:.875rem;text-decoration:none;overflow-wrap:anywhere}
.chip:hover{border-color:var(--brand)}
.chip[aria-current]{background:var(--soft);border-color:var(--brand);color:var(--brand)}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.25rem;list-style:none;margin:0;padding:0}
.card{position:relative;display:flex;flex-direction:column;height:100%;background:var(--card);border:1px solid var(--line);border-radius:.9rem;overflow:hidden}
.card:hover{border-color:var(--brand)}
.card h2,.card h3{font-size:1rem;margin:0;font-weight:600}
.card h2 a,.card h3 a{color:inherit;text-decoration:none}
.card h2 a::after,.card h3 a::after{content:"";position:absolute;inset:0}
.thumb{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;background:var(--soft)}
.blank{display:grid;place-items:center;font-size:3rem;font-weight:650;color:var(--brand)}
.body{display:flex;flex-direction:column;gap:.35rem;padding:.9rem 1rem 1rem;flex:1}
.row{display:flex;justify-content:space-between;gap:1rem;align-items:baseline;margin-top:auto;padding-top:.4rem;font-size:.9375rem}
.amount{font-weight:650;font-variant-numeric:tabular-nums}
.star{color:var(--star);white-space:nowrap}
.pages{display:flex;gap:1rem;justify-content:center;margin:2rem 0 0}
.pages a{padding:.5rem 1.2rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);text-decoration:none}
.crumb{font-size:.9375rem;margin:0 0 1.2rem}
.gig{display:grid;grid-template-columns:minmax(0,1fr) 20rem;gap:2.5rem;align-items:start}
.shots{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.75rem;margin:1.25rem 0}
.shots>*{width:100%;height:100%;aspect-ratio:4/3;object-fit:cover;border-radius:.75rem;background:var(--soft)}
.shots>:first-child{grid-column:1/-1;aspect-ratio:16/10;max-height:32rem;object-fit:contain}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
.box{padding:1.25rem;margin:0 0 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.9rem}
.box h2{margin:0 0 .5rem;font-size:1.05rem}
.box .amount{font-size:1.7rem;line-height:1.3;margin:0}
.box .button{display:block;margin:1rem 0 .6rem}
.box p{margin:.35rem 0}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem;margin:.8rem 0 0;font-size:.9375rem}
.facts dt{color:var(--dim)}
.facts dd{margin:0;text-align:right}
.empty{padding:3rem 1rem;text-align:center;color:var(--dim);background:var(--card);border:1px dashed var(--line);border-radius:.9rem}
footer{border-top:1px solid var(--line);padding:1.5rem 0;font-size:.875rem;color:var(--dim)}
@media(max-width:60rem){.search{grid-template-columns:1fr 1fr}.search .wide{grid-column:1/-1}.price{width:100%}.gig{grid-template-columns:1fr;gap:1rem}main.wrap{padding-top:1.25rem}.card .thumb{aspect-ratio:16/9}}
`
