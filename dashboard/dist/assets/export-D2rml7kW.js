import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{Bn as t,Et as n,F as r,G as i,Ht as a,Jr as o,K as s,Qt as c,R as l,Rn as u,Tt as d,Ut as f,W as p,Xr as m,dt as h,ht as g,m as _,q as v,r as y,u as b,v as x,wt as S}from"./i18n-JhFq1239.js";import{n as ee,r as te,t as ne}from"./DialogTitle-BXKK5c7i.js";import{t as C}from"./DialogActions-DNAv0ot_.js";import{N as w}from"./states-DPNXLA62.js";import{d as T,r as E}from"./listing-DQ7sOyTw.js";import{n as D,r as O}from"./index-Cj2JlOsc.js";var k=e(m(),1);function re(e){return d(`MuiLinearProgress`,e)}S(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var A=o(),j=4,ie={},M=f`
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
`,N=typeof M==`string`?null:a`
        animation: ${M} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,P=f`
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
`,F=typeof P==`string`?null:a`
        animation: ${P} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,I=f`
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
`,L=typeof I==`string`?null:a`
        animation: ${I} 3s infinite linear;
      `,R=e=>{let{classes:t,variant:n,color:r}=e,i={root:[`root`,`color${p(r)}`,n],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,n===`buffer`&&`color${p(r)}`]};return h(i,re,t)},z=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),B=v(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${p(n.color)}`],t[n.variant]]}})(s(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(x()).map(([t])=>({props:{color:t},style:{backgroundColor:z(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),V=v(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(s(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(x()).map(([t])=>{let n=z(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),L||{animation:`${I} 3s infinite linear`},s(({theme:e})=>r(e,{animation:`none`})||ie)),H=v(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(s(({theme:e})=>{let t=r(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...l(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(x()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{...l(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,...l(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:N||{animation:`${M} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),U=v(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(s(({theme:e})=>{let t=r(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,...l(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(x()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(x()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:z(e,t),...l(e,`transform`,{duration:`.${j}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:F||{animation:`${P} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),W=k.forwardRef(function(e,t){let r=i({props:e,name:`MuiLinearProgress`}),{className:a,color:o=`primary`,max:s,min:c,value:l,valueBuffer:u,variant:d=`indeterminate`,...f}=r,p={...r,color:o,variant:d},m=c??0,h=s??100,_=R(p),v=g(),y={},b={bar1:{},bar2:{}};if((d===`determinate`||d===`buffer`)&&l!==void 0){let e=h-m,t=(l-m)/e*100-100;v&&(t=-t),b.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,y[`aria-valuenow`]=l,y[`aria-valuemin`]=m,y[`aria-valuemax`]=h}if(d===`buffer`&&u!==void 0){let e=h-m,t=(u-m)/e*100-100;v&&(t=-t),b.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,A.jsxs)(B,{className:n(_.root,a),ownerState:p,role:`progressbar`,...y,ref:t,...f,children:[d===`buffer`?(0,A.jsx)(V,{className:_.dashed,ownerState:p}):null,(0,A.jsx)(H,{className:_.bar1,ownerState:p,style:b.bar1}),d===`determinate`?null:(0,A.jsx)(U,{className:_.bar2,ownerState:p,style:b.bar2})]})}),G=w((0,A.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),K=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e;function q(e){let t=typeof e==`string`?K(e):String(e??``);return/[",\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var J=e=>`${e.map(q).join(`,`)}\r\n`,Y=2e4,X=100,Z=e=>`﻿`+J(Object.keys(e)),Q=(e,t)=>e.map(e=>J(Object.values(t).map(t=>t(e)))).join(``);function $(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob(e,{type:`text/csv;charset=utf-8`})),n.download=`${t}-${new Date().toISOString().slice(0,10)}.csv`,n.click(),URL.revokeObjectURL(n.href)}function ae(e){let{resource:t,sort:n,...r}=T(),i=r.filterValues,a=c(),o=y(),s=O(),l=(e,r)=>a.getList(t,{pagination:{page:e,perPage:X},sort:n,filter:i,signal:r});return async(n,r)=>{let i=[Z(e)],a=new Set,c=1/0;for(let t=1;(t-1)*X<c;t+=1){let{data:u,total:d=0}=await l(t,r);if(r.throwIfAborted(),d>Y){let[e,t]=[Y,d].map(e=>e.toLocaleString(s));throw Error(o(`csv.tooMany`,{most:e,total:t}))}t===1&&(c=d);let f=u.filter(({id:e})=>!a.has(e));for(let{id:e}of f)a.add(e);i.push(Q(f,e)),n({count:a.size,total:c})}if(a.size===0)throw Error(o(`csv.nothing`));if(a.size<c)throw Error(o(`csv.moved`));return $(i,t),a.size}}function oe({columns:e}){let{resource:t}=T(),n=E(),r=y();return(0,A.jsx)(b,{size:`small`,startIcon:(0,A.jsx)(G,{}),onClick:()=>$([Z(e),Q(n,e)],t),children:r(`csv.selected`)})}function se({columns:e}){let n=ae(e),[r,i]=(0,k.useState)(),a=(0,k.useRef)(void 0);D(()=>r!==void 0);let o=t(),s=u(),c=y();async function l(){let{signal:e}=a.current=new AbortController;i({count:0,total:0});try{let t=await n(i,e);o(`csv.done`,{type:`success`,messageArgs:{smart_count:t}})}catch(t){e.aborted||o(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{i(void 0)}}let{count:d=0,total:f=0}=r??{};return(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(b,{size:`small`,startIcon:(0,A.jsx)(G,{}),onClick:()=>void l(),children:c(`csv.button`)}),(0,A.jsxs)(te,{open:r!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,A.jsx)(ne,{id:`csv-title`,children:c(`csv.title`)}),(0,A.jsxs)(ee,{children:[(0,A.jsx)(W,{"aria-labelledby":`csv-title`,variant:f>0?`determinate`:`indeterminate`,value:f>0?Math.min(100,d/f*100):void 0}),(0,A.jsx)(_,{sx:{marginTop:1},children:c(`csv.progress`,{count:d,total:f})})]}),(0,A.jsx)(C,{children:(0,A.jsx)(b,{onClick:()=>a.current?.abort(),children:s(`ra.action.cancel`)})})]})]})}export{oe as n,se as t};