import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{Et as t,In as n,Jn as r,Ma as i,Mi as a,Rn as o,Rt as s,Sn as c,Ut as l,Xn as u,Yn as d,bn as f,di as p,fn as m,ji as h,ka as g,or as _,rn as v,sr as y,un as b,xn as x,yn as S,zr as C}from"./vendor-Bbb89tuY.js";import{n as w,r as T,t as E}from"./DialogTitle-7wK1EC5M.js";import{t as D}from"./DialogActions-bU93faD5.js";import{h as O,i as k}from"./listing-RigwhC8U.js";import{K as A,V as ee,d as te}from"./core-YlXE1vy_.js";var j=e(i(),1);function M(e){return d(`MuiLinearProgress`,e)}r(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var N=g(),P=4,F={},I=y`
  0% {
    left: -35%;
    right: 100%;
  }

  60% {
    left: 100%;
    right: -90%;
  }

  100% {
    left: 100%;
    right: -90%;
  }
`,L=typeof I==`string`?null:_`
        animation: ${I} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,R=y`
  0% {
    left: -200%;
    right: 100%;
  }

  60% {
    left: 107%;
    right: -8%;
  }

  100% {
    left: 107%;
    right: -8%;
  }
`,z=typeof R==`string`?null:_`
        animation: ${R} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,B=y`
  0% {
    opacity: 1;
    background-position: 0 -23px;
  }

  60% {
    opacity: 0;
    background-position: 0 -23px;
  }

  100% {
    opacity: 1;
    background-position: -200px -23px;
  }
`,V=typeof B==`string`?null:_`
        animation: ${B} 3s infinite linear;
      `,H=e=>{let{classes:t,variant:r,color:i}=e,a={root:[`root`,`color${S(i)}`,r],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,r===`buffer`&&`color${S(i)}`]};return n(a,M,t)},U=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),W=c(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${S(n.color)}`],t[n.variant]]}})(x(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(l()).map(([t])=>({props:{color:t},style:{backgroundColor:U(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),G=c(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(x(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(l()).map(([t])=>{let n=U(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),V||{animation:`${B} 3s infinite linear`},x(({theme:e})=>b(e,{animation:`none`})||F)),K=c(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(x(({theme:e})=>{let t=b(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...m(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(l()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{...m(e,`transform`,{duration:`.${P}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,...m(e,`transform`,{duration:`.${P}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:L||{animation:`${I} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),ne=c(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(x(({theme:e})=>{let t=b(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...m(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(l()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(l()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:U(e,t),...m(e,`transform`,{duration:`.${P}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:z||{animation:`${R} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),re=j.forwardRef(function(e,t){let n=f({props:e,name:`MuiLinearProgress`}),{className:r,color:i=`primary`,max:a,min:s,value:c,valueBuffer:l,variant:d=`indeterminate`,...p}=n,m={...n,color:i,variant:d},h=s??0,g=a??100,_=H(m),v=o(),y={},b={bar1:{},bar2:{}};if((d===`determinate`||d===`buffer`)&&c!==void 0){let e=g-h,t=(c-h)/e*100-100;v&&(t=-t),b.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,y[`aria-valuenow`]=c,y[`aria-valuemin`]=h,y[`aria-valuemax`]=g}if(d===`buffer`&&l!==void 0){let e=g-h,t=(l-h)/e*100-100;v&&(t=-t),b.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,N.jsxs)(W,{className:u(_.root,r),ownerState:m,role:`progressbar`,...y,ref:t,...p,children:[d===`buffer`?(0,N.jsx)(G,{className:_.dashed,ownerState:m}):null,(0,N.jsx)(K,{className:_.bar1,ownerState:m,style:b.bar1}),d===`determinate`?null:(0,N.jsx)(ne,{className:_.bar2,ownerState:m,style:b.bar2})]})}),q=v((0,N.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),ie=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e,ae=e=>e===`fr`?`;`:`,`;function oe(e){let t=typeof e==`string`?ie(e):String(e??``);return/[",;\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var J=(e,t)=>`${e.map(oe).join(t)}\r\n`;function Y(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(e),n.download=t,n.click(),URL.revokeObjectURL(n.href)}var X=2e4,Z=100;function Q(e){let t=ae(p());return{head:`﻿`+J(Object.keys(e),t),linesOf:n=>n.map(n=>J(Object.values(e).map(e=>e(n)),t)).join(``)}}function $(e,t){Y(new Blob(e,{type:`text/csv;charset=utf-8`}),`${t}-${new Date().toISOString().slice(0,10)}.csv`)}function se(e){let{resource:t,sort:n,...r}=O(),i=r.filterValues,a=C(),o=A(),s=te(),{head:c,linesOf:l}=Q(e),u=(e,r)=>a.getList(t,{pagination:{page:e,perPage:Z},sort:n,filter:i,signal:r});return async(e,n)=>{let r=[c],i=new Set,a=1/0;for(let t=1;(t-1)*Z<a;t+=1){let{data:c,total:d=0}=await u(t,n);if(n.throwIfAborted(),d>X){let[e,t]=[X,d].map(e=>e.toLocaleString(s));throw Error(o(`csv.tooMany`,{most:e,total:t}))}t===1&&(a=d);let f=c.filter(({id:e})=>!i.has(e));for(let{id:e}of f)i.add(e);r.push(l(f)),e({count:i.size,total:a})}if(i.size===0)throw Error(o(`csv.nothing`));if(i.size<a)throw Error(o(`csv.moved`));return $(r,t),i.size}}function ce({columns:e}){let{resource:n}=O(),r=k(),i=A(),{head:a,linesOf:o}=Q(e);return(0,N.jsx)(t,{size:`small`,startIcon:(0,N.jsx)(q,{}),onClick:()=>$([a,o(r)],n),children:i(`csv.selected`)})}function le({columns:e}){let n=se(e),[r,i]=(0,j.useState)(),o=(0,j.useRef)(void 0);ee(()=>r!==void 0);let c=a(),l=h(),u=A();async function d(){let{signal:e}=o.current=new AbortController;i({count:0,total:0});try{let t=await n(i,e);c(`csv.done`,{type:`success`,messageArgs:{smart_count:t}})}catch(t){e.aborted||c(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{i(void 0)}}let{count:f=0,total:p=0}=r??{};return(0,N.jsxs)(N.Fragment,{children:[(0,N.jsx)(t,{size:`small`,startIcon:(0,N.jsx)(q,{}),onClick:()=>void d(),children:u(`csv.button`)}),(0,N.jsxs)(T,{open:r!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,N.jsx)(E,{id:`csv-title`,children:u(`csv.title`)}),(0,N.jsxs)(w,{children:[(0,N.jsx)(re,{"aria-labelledby":`csv-title`,variant:p>0?`determinate`:`indeterminate`,value:p>0?Math.min(100,f/p*100):void 0}),(0,N.jsx)(s,{sx:{marginTop:1},children:u(`csv.progress`,{count:f,total:p})})]}),(0,N.jsx)(D,{children:(0,N.jsx)(t,{onClick:()=>o.current?.abort(),children:l(`ra.action.cancel`)})})]})]})}export{q as i,ce as n,Y as r,le as t};